// Loaded before a server's own program (`node --import`): writes down that a process of it was started.
import { appendFileSync } from 'node:fs';
appendFileSync(process.env.INTEROP_STARTS, `${process.pid}\n`);
