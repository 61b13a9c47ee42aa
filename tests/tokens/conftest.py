"""The packages of this tier come after those of SkyRL's environment. Of them only tiktoken is imported."""

import os
import sys

sys.path.append(os.environ["TOKENS_AT"])
