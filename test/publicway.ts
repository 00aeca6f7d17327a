import { spawn } from 'node:child_process'
import path from 'node:path'
import { inject } from 'vitest'
import { shortLived } from './server-process.ts'

const root = path.join(import.meta.dirname, '..')

/** What a call of the command line printed, and its exit code. */
export interface CommandResult {
  code: number | null
  out: string
  error: string
  /** The JSON document of `--json`. */
  json<Answer>(): Answer
}

/** Calls `publicway` as a shell would, with these settings and no others; bundled, it starts three times as fast as from its sources. */
export function publicway(
  words: readonly string[],
  settings: Record<string, string>,
): Promise<CommandResult> {
  const program = path.join(inject('programs'), 'publicway.js')
  const child = spawn(process.execPath, [shortLived, program, ...words], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, error] = ['', '']
  child.stdout.on('data', (part: Buffer) => (out += part.toString()))
  child.stderr.on('data', (part: Buffer) => (error += part.toString()))
  return new Promise((resolve) =>
    child.once('close', (code) =>
      resolve({ code, out, error, json: <Answer>() => JSON.parse(out) as Answer }),
    ),
  )
}
