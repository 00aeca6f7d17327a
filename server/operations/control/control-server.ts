import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { z } from 'zod'
import { getErrorMessage } from '#contract/problem-text.ts'
import type { Log } from '#server/jobs/log.ts'
import { hasToken } from '../has-token.ts'

/** Commands of the command line that the running server executes, because only it has the stores open. */
export type ControlCommands = Readonly<
  Record<string, (input: unknown, signal: AbortSignal) => Promise<unknown>>
>

/** Content of the file with the running server's port and token, which only the user who runs it can read. */
const ControlFile = z.object({ pid: z.number(), port: z.number(), token: z.string() })
const getControlFile = (dataDir: string): string => path.join(dataDir, 'control.json')

/** Serves commands on the loopback interface to users who can read the data directory. */
export async function openControlServer(
  dataDir: string,
  commands: ControlCommands,
  log: Log,
): Promise<{ close: () => Promise<void> }> {
  const token = randomBytes(32).toString('base64url')
  const server = http.createServer((request, response) => {
    const command = commands[(request.url ?? '').slice(1)]
    const respond = (status: number, body: unknown): void =>
      void response
        .writeHead(status, { 'content-type': 'application/json', connection: 'close' })
        .end(JSON.stringify(body))
    if (!hasToken(request.headers.authorization, token)) return respond(401, { error: 'The token is wrong.' })
    if (request.method !== 'POST' || !command) return respond(404, { error: 'There is no such command.' })
    const disconnect = new AbortController()
    response.once('close', () => {
      if (!response.writableFinished) disconnect.abort()
    })
    json(request)
      .then((input) => command(input, disconnect.signal))
      .then(
        (result) => respond(200, result ?? null),
        (error: unknown) => {
          const message = getErrorMessage(error)
          log('command', { command: request.url, error: message })
          respond(500, { error: message })
        },
      )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  server.unref()
  const { port } = server.address() as AddressInfo
  const file = getControlFile(dataDir)
  fs.rmSync(file, { force: true })
  fs.writeFileSync(file, JSON.stringify({ pid: process.pid, port, token }), { mode: 0o600, flag: 'wx' })
  return {
    close: () =>
      new Promise((resolve) => {
        fs.rmSync(file, { force: true })
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The server of a data directory does not respond, or its command failed. */
export class ControlError extends Error {
  override name = 'ControlError'
}

/** Sends a command to the running server of a data directory and waits for its result, without a timeout. */
export async function sendCommand(dataDir: string, command: string, input: unknown): Promise<unknown> {
  let target: z.infer<typeof ControlFile>
  try {
    target = ControlFile.parse(JSON.parse(fs.readFileSync(getControlFile(dataDir), 'utf8')))
  } catch (error) {
    throw new ControlError(
      (error as NodeJS.ErrnoException).code === 'EACCES'
        ? `The server on ${dataDir} runs as another user. Run this command as that user.`
        : `The server on ${dataDir} does not accept commands now: it is starting or stopping. Try again.`,
    )
  }
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const request = http.request(
      {
        host: '127.0.0.1',
        port: target.port,
        path: `/${command}`,
        method: 'POST',
        headers: { authorization: `Bearer ${target.token}`, 'content-type': 'application/json' },
      },
      resolve,
    )
    request.once('error', () => reject(new ControlError(`The server on ${dataDir} does not respond.`)))
    request.end(JSON.stringify(input ?? {}))
  })
  const body = await json(response)
  if (response.statusCode !== 200) throw new ControlError(z.object({ error: z.string() }).parse(body).error)
  return body
}
