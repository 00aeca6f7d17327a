// Runs worker threads from bundled files, because the TypeScript loader takes a second of CPU time each.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { inject } from 'vitest'

Object.assign(globalThis, { BUILT_SERVER: pathToFileURL(inject('programs') + path.sep).href })
