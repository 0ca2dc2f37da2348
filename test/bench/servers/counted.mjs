// Starts the server named first and notes that a process was started: one line in the file of SPAWN_LOG.
import { appendFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

appendFileSync(process.env['SPAWN_LOG'], `${process.pid}\n`);
process.argv.splice(1, 1);
await import(pathToFileURL(process.argv[1]).href);
