// Worker threads run bundled files here, as in production: the loader of TypeScript takes a second of CPU time for each.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { inject } from 'vitest'

Object.assign(globalThis, { BUILT_SERVER: pathToFileURL(inject('programs') + path.sep).href })
