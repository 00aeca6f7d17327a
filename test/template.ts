import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { openApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { bundle } from '../scripts/setup/build-server.js'

declare module 'vitest' {
  export interface ProvidedContext {
    template: string
    /** The folder of the programs that tests start. */
    programs: string
  }
}

/** Programs that tests start as processes: bundled, they start three times as fast as through the loader of TypeScript. */
const programs = { main: 'server/main.ts', pull: 'test/feeds/pull-process.ts' }
/** Within the packages' folder, so that they are found from there. */
const programsFolder = path.join(import.meta.dirname, '../node_modules/.cache/test-server')

let directory = ''

/** Makes empty stores once a run; every story begins with a copy of them: making them anew takes ten times as long. */
export async function setup({ provide }: TestProject): Promise<void> {
  directory = fs.mkdtempSync(path.join(tmpdir(), 'publicway-template-'))
  const app = await openApp(readConfig({ DATA_DIR: directory, DEMO: 'off' }), directory, () => undefined)
  await app.close()
  provide('template', directory)
  await bundle(programs, programsFolder)
  provide('programs', programsFolder)
}

export function teardown(): void {
  fs.rmSync(directory, { recursive: true, force: true })
}
