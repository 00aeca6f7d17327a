// Faults that a server withstands, besides kills (docs/operations.md, "Faults").
import '../quick-passwords.ts'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '#server/identity/create-user.ts'
import { maxStreamsPerUser } from '#server/live/stream-limit.ts'
import { openTestApp, signIn } from '../app.ts'
import { makeRegions, password } from '../city.ts'
import { vehicle } from '../mds-samples.ts'
import { createDataDir } from '../new-data-dir.ts'
import { openEvents } from '../open-events.ts'
import { addPushingOperator, pushTo, tripEnd } from '../pushing-operator.ts'
import { freePort, type ServerProcess, shiftedClock, startServer, untilServing } from '../server-process.ts'
import { createFolder } from './open-stores.ts'

const streamCount = 500
const slowClients = 200
const [megabyte, hourMs] = [1 << 20, 3_600_000]
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Whether this process may mount a small file system, which tests fill. */
function canMount(): boolean {
  const { folder, remove } = createFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    remove()
  }
}

describe('a server', () => {
  const { folder, remove } = createFolder()
  const seed = createDataDir()
  const shiftFile = path.join(folder, 'clock')
  /** One vehicle per event, because the live map ignores events older than the last one of a vehicle. */
  const devices = Array.from({ length: 60 }, () => randomUUID())
  let sentCount = 0
  let agencyToken = ''
  let tokens: string[] = []
  /** The server of all tests except the one with a full disk. */
  let running: ServerProcess

  beforeAll(async () => {
    const app = await openTestApp(seed)
    const { organizations, admin } = await makeRegions(app)
    agencyToken = await addPushingOperator(app, organizations.alder)
    tokens = [admin.token]
    for (let user = 1; user * maxStreamsPerUser < streamCount; user++) {
      const email = `viewer-${user}@alder.example`
      const organizationId = organizations.alder
      await createUser(app.auth, app.state, { email, name: email, password, organizationId }, new Date())
      tokens.push((await signIn(app, email, password)).token)
    }
    await app.stop()
    fs.writeFileSync(shiftFile, '0')
    running = await start(path.join(folder, 'data'), shiftedClock(shiftFile))
  })
  afterAll(async () => {
    await running?.kill('SIGKILL')
    fs.rmSync(seed, { recursive: true, force: true })
    remove()
  })

  /** Starts a server on a copy of the seed. */
  const start = async (dataDir: string, settings: Record<string, string> = {}): Promise<ServerProcess> => {
    fs.cpSync(seed, dataDir, { recursive: true })
    const port = String(await freePort())
    const server = await untilServing(
      startServer({ DATA_DIR: dataDir, DEMO: 'off', PORT: port, ...settings }),
    )
    const registered = devices.map((device_id, index) => vehicle(index, { device_id }))
    expect((await push(server, 'vehicles', registered)).status).toBe(201)
    return server
  }
  const push = ({ url }: ServerProcess, stream: string, items: object[] | string): Promise<Response> =>
    pushTo(url, agencyToken, stream, items)
  /** Makes an event of the next vehicle. */
  const makeEventAt = (at: number): object => tripEnd(devices[sentCount++ % devices.length], { at })
  const makeBearer = (index = 0) => ({ authorization: `Bearer ${tokens[index % tokens.length]}` })
  const call = ({ url }: ServerProcess, target: string, method = 'GET', body?: object): Promise<Response> =>
    fetch(`${url}/v2/regions/alder${target}`, {
      method,
      headers: { ...makeBearer(), ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  const openStream = ({ url }: ServerProcess, index = 0) =>
    openEvents(`${url}/v2/regions/alder/vehicles/stream`, makeBearer(index))
  const readResidentMb = ({ pid }: ServerProcess): number =>
    Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

  it('rejects many bodies of 10 MB at once and does not use more memory', async () => {
    const body = `[${' '.repeat(10 * megabyte)}]`
    const before = readResidentMb(running)
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2
          ? push(running, 'events', body)
          : fetch(`${running.url}/v2/regions/alder/spatial`, {
              method: 'POST',
              headers: { ...makeBearer(index), 'content-type': 'application/json' },
              body,
            })
        ).then(
          ({ status }) => status,
          // The connection is closed while the body is still being sent.
          () => 413,
        ),
      ),
    )
    expect(new Set(responses)).toEqual(new Set([413]))
    expect((await push(running, 'events', [makeEventAt(Date.now())])).status).toBe(201)
    console.log(`20 bodies of 10 MB: ${Math.round(readResidentMb(running) - before)} MB more memory`)
    expect(readResidentMb(running) - before).toBeLessThan(300)
  })

  it(`sends an event to ${streamCount} open live maps, and releases them when they close`, async () => {
    const before = readResidentMb(running)
    const streams = await Promise.all(
      Array.from({ length: streamCount }, (_, index) => openStream(running, index)),
    )
    const begin = performance.now()
    expect((await push(running, 'events', [makeEventAt(Date.now())])).status).toBe(201)
    await Promise.all(streams.map((stream) => stream.until('vehicles', 1)))
    const seconds = ((performance.now() - begin) / 1000).toFixed(1)
    const megabytes = Math.round(readResidentMb(running) - before)
    console.log(`${streamCount} streams: all have the event after ${seconds} s; ${megabytes} MB more memory`)
    for (const stream of streams) stream.close()
    await expect
      .poll(async () => {
        // More than a user may have open, which proves that the closed ones no longer count.
        const newStreams = await Promise.all(
          Array.from({ length: maxStreamsPerUser }, () => openStream(running).catch(() => null)),
        )
        for (const stream of newStreams) stream?.close()
        return newStreams.every(Boolean)
      })
      .toBe(true)
  })

  it(`responds despite ${slowClients} clients that send a byte a second, and streams that nobody reads`, async () => {
    const { port } = new URL(running.url)
    const open = (text: string): net.Socket =>
      net
        .connect(Number(port), '127.0.0.1', function connected(this: net.Socket) {
          this.write(text)
        })
        .on('error', () => undefined)
    const head = `POST /mds/agency/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${agencyToken}\r\n`
    const sockets = Array.from({ length: slowClients }, (_, index) =>
      open(index % 2 ? head : `${head}Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n[`),
    )
    const dripTimer = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('x')
    }, 1000)
    const token = makeBearer().authorization
    const unreadStreams = Array.from({ length: 5 }, () =>
      open(
        `GET /v2/regions/alder/vehicles/stream HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\n\r\n`,
      ).pause(),
    )
    try {
      await pause(2000)
      const stream = await openStream(running, 1)
      for (let turn = 0; turn < 20; turn++) {
        expect((await push(running, 'events', [makeEventAt(Date.now())])).status).toBe(201)
        expect((await call(running, '/vehicles/live')).status).toBe(200)
      }
      await stream.until('vehicles', 1)
      stream.close()
    } finally {
      clearInterval(dripTimer)
      for (const socket of [...sockets, ...unreadStreams]) socket.destroy()
    }
  })

  it('continues when its clock moves back and forth', async () => {
    const exportTrips = async (): Promise<string> => {
      const days = { start_date: '2026-03-01', end_date: '2026-03-02' }
      const started = await call(running, '/reports/raw_data/issues', 'POST', { ...days, format: 'csv' })
      const { export_id: id } = (await started.json()) as { export_id: string }
      const readStatus = async (): Promise<string> =>
        ((await (await call(running, `/reports/exports/${id}`)).json()) as { status: string }).status
      await expect.poll(readStatus, { timeout: 30_000 }).toMatch(/ready|failed/)
      return readStatus()
    }
    const stream = await openStream(running)
    let received = 0
    for (const hours of [0, -1, 2, 26, 0]) {
      fs.writeFileSync(shiftFile, String(hours * hourMs))
      await pause(300)
      // Sessions remain valid, events are stored and sent to live maps, and jobs run.
      expect((await push(running, 'events', [makeEventAt(Date.now() + hours * hourMs)])).status).toBe(201)
      await expect
        .poll(() => stream.events.filter(({ name }) => name === 'vehicles').length, { timeout: 20_000 })
        .toBeGreaterThan(received)
      received = stream.events.filter(({ name }) => name === 'vehicles').length
      expect([hours, await exportTrips()]).toEqual([hours, 'ready'])
      expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
    }
    stream.close()
  })

  it.skipIf(!canMount())(
    'reports a full disk, loses nothing, and continues when there is space (skipped without mounts of file systems)',
    async () => {
      const disk = path.join(folder, 'disk')
      fs.mkdirSync(disk)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', disk])
      const filler = path.join(disk, 'filler')
      let onDisk: ServerProcess | null = null
      try {
        const first = (onDisk = await start(path.join(disk, 'data')))
        /** Vehicles with an acknowledged event, each with one event. */
        const acknowledged: string[] = []
        const getPushStatus = async (): Promise<number> => {
          const vehicleNumber = sentCount % devices.length
          const { status } = await push(first, 'events', [makeEventAt(Date.now())])
          if (status === 201) acknowledged.push(`LK-${vehicleNumber}`)
          return status
        }
        expect(await getPushStatus()).toBe(201)
        const { bavail, bsize } = fs.statfsSync(disk)
        fs.writeFileSync(filler, Buffer.alloc(bavail * bsize - megabyte))
        await expect.poll(getPushStatus, { timeout: 30_000, interval: 200 }).toBe(507)
        // Calls that need no space succeed.
        expect((await call(first, '/vehicles/live')).status).toBe(200)
        fs.rmSync(filler)
        await expect.poll(getPushStatus, { timeout: 60_000, interval: 200 }).toBe(201)
        await first.kill('SIGKILL')
        const restarted = startServer({
          DATA_DIR: path.join(disk, 'data'),
          DEMO: 'off',
          PORT: String(await freePort()),
        })
        onDisk = await untilServing(restarted)
        const live = (await (await call(restarted, '/vehicles/live?ids=true')).json()) as {
          vehicle_id: string[]
        }
        expect(live.vehicle_id).toEqual(expect.arrayContaining(acknowledged))
      } finally {
        await onDisk?.kill('SIGKILL')
        execFileSync('umount', [disk])
      }
    },
  )
})
