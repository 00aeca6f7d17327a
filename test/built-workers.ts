// Tests run worker threads from bundled files, as in production, because the TypeScript loader takes a second
// of CPU time per thread.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { inject } from 'vitest'

Object.assign(globalThis, { BUILT_SERVER: pathToFileURL(inject('programs') + path.sep).href })
