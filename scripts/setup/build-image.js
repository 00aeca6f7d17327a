// Builds the web app and the server of an image: node scripts/setup/build-image.js
import { buildServer } from './build-server.js'
import { buildWeb } from './build-web.js'

await buildWeb()
await buildServer()
