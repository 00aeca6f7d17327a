import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildWeb } from '../../scripts/setup/build-web.js'
import { run } from '../../scripts/setup/children.js'
import { buildTestPrograms, programsFolder } from '../programs.js'

/** Marks a folder with a complete city. */
const complete = 'city-complete'

/** Builds the web app and makes the city of the browser specs in a folder, unless it is there; gives its data directory. */
export async function makeCity(folder) {
  const mark = join(folder, complete)
  const city = join(folder, 'data')
  if (existsSync(mark)) return city
  mkdirSync(folder, { recursive: true })
  await buildTestPrograms()
  // As in production: with four threads of libuv, the engine's queries leave none to check a password.
  const env = { ...process.env, UV_THREADPOOL_SIZE: '16' }
  // Vite builds the web app in a process of its own while the city is made.
  const [code] = await Promise.all([
    run(process.execPath, [join(programsFolder, 'make-city.js'), city], { env }),
    buildWeb(),
  ])
  if (code !== 0) throw new Error(`the city of the browser specs cannot be made (code ${code})`)
  writeFileSync(mark, '')
  return city
}
