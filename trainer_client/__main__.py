"""`python -m trainer_client` is `trainer`."""

import sys

from trainer_client.cli import main

sys.exit(main())
