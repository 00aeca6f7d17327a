import { spawn } from 'node:child_process'
import path from 'node:path'
import { inject } from 'vitest'
import { shortLived } from './server-process.ts'

const root = path.join(import.meta.dirname, '..')

/** The output and exit code of a command. */
export interface CommandResult {
  code: number | null
  out: string
  error: string
  /** The JSON document of `--json`. */
  json<Output>(): Output
}

/** Runs the bundled `publicway` with only these settings. */
export function publicway(args: readonly string[], settings: Record<string, string>): Promise<CommandResult> {
  const program = path.join(inject('programs'), 'publicway.js')
  const child = spawn(process.execPath, [shortLived, program, ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, error] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()))
  return new Promise((resolve) =>
    child.once('close', (code) =>
      resolve({ code, out, error, json: <Output>() => JSON.parse(out) as Output }),
    ),
  )
}
