import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { openApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { bundle } from '../scripts/setup/build-server.js'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of the programs that tests start. */
    programs: string
  }
}

/** Programs that tests start as processes: bundled, they start three times as fast as through the loader of TypeScript. */
const programs = {
  main: 'server/main.ts',
  publicway: 'scripts/publicway.ts',
  pull: 'test/feeds/pull-process.ts',
}
/** Within the packages' folder, so that they are found from there. */
const programsFolder = path.join(import.meta.dirname, '../node_modules/.cache/test-server')

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
  directory = shared ?? fs.mkdtempSync(path.join(tmpdir(), 'publicway-template-'))
  if (!fs.existsSync(path.join(directory, complete))) {
    const app = await openApp(readConfig({ DATA_DIR: directory, DEMO: 'off' }), directory, () => undefined)
    await app.close()
    fs.writeFileSync(path.join(directory, complete), '')
  }
  provide('template', directory)
  await bundle(programs, programsFolder)
  provide('programs', programsFolder)
}

export function teardown(): void {
  if (!shared) fs.rmSync(directory, { recursive: true, force: true })
}
