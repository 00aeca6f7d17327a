import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { run } from '../scripts/setup/children.js'
import { buildTestPrograms, programsFolder } from './programs.js'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of the bundled programs. */
    programs: string
  }
}

/** File that marks a complete template. */
const complete = 'template-complete'
/** Folder of the template that the parts of `npm test` share. */
const shared = process.env['TEST_TEMPLATE']
let directory = ''

/** Creates empty, migrated stores once. A new PGlite database takes ten times as long as a copy. */
export async function setup({ provide }: TestProject): Promise<void> {
  await buildTestPrograms()
  directory = shared ?? fs.mkdtempSync(path.join(tmpdir(), 'publicway-template-'))
  if (!fs.existsSync(path.join(directory, complete))) {
    // In a separate process, so that this one does not load the server.
    const code = await run(process.execPath, [path.join(programsFolder, 'make-template.js'), directory])
    if (code !== 0) throw new Error(`The template of the stores cannot be made (code ${code}).`)
    fs.writeFileSync(path.join(directory, complete), '')
  }
  provide('template', directory)
  provide('programs', programsFolder)
}

export function teardown(): void {
  if (!shared) fs.rmSync(directory, { recursive: true, force: true })
}
