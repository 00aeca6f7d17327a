// Creates empty, migrated stores in a folder, for `template.ts`.
import { openApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'

const folder = process.argv[2] ?? ''
const app = await openApp(readConfig({ DATA_DIR: folder, DEMO: 'off' }), folder, () => undefined)
await app.close()
process.exit(0)
