import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { run } from '../scripts/setup/children.js'
import { buildTestPrograms, programsFolder } from './programs.js'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of the programs that tests start. */
    programs: string
  }
}

/** Marks a template with closed stores. */
const complete = 'template-complete'
/** Set by `npm test`: its parts share one template. */
const shared = process.env['TEST_TEMPLATE']
let directory = ''

/**
 * Makes empty, migrated stores once; tests start with a copy of them. Creating a PGlite database takes ten times
 * as long as opening a copy.
 */
export async function setup({ provide }: TestProject): Promise<void> {
  await buildTestPrograms()
  directory = shared ?? fs.mkdtempSync(path.join(tmpdir(), 'publicway-template-'))
  if (!fs.existsSync(path.join(directory, complete))) {
    // By a program: this process need not read the server.
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
