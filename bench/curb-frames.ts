import path from 'node:path'
import { chromium, type CDPSession, type Page } from '@playwright/test'
import { systemScope } from '#server/identity/scope.ts'
import { publishSegments } from './curb.ts'
import { openBench } from './open-bench.ts'
import { percentile, type Report } from './table.ts'

const webRoot = path.join(import.meta.dirname, '..', 'dist', 'web')
const segments = Number(process.env['BENCH_CURB_FRAME_SEGMENTS'] ?? 20_000)
const [width, height, moves] = [1280, 800, 240]

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  ts: number
  /** Processor time of the thread, microseconds. */
  tdur?: number
  dur?: number
  args?: { name?: string }
}

/** Records a trace of the browser during `work`. Returns its events in order of time. */
async function recordTrace(cdp: CDPSession, work: () => Promise<void>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = []
  cdp.on('Tracing.dataCollected', ({ value }) => void events.push(...(value as unknown as TraceEvent[])))
  const ended = new Promise<void>((resolve) => void cdp.once('Tracing.tracingComplete', () => resolve()))
  const includedCategories = ['devtools.timeline', 'disabled-by-default-devtools.timeline']
  await cdp.send('Tracing.start', { traceConfig: { includedCategories }, transferMode: 'ReportEvents' })
  await work()
  await cdp.send('Tracing.end')
  await ended
  return events.sort((a, b) => a.ts - b.ts)
}

/** Drags the map in a circle. */
async function panMap(page: Page): Promise<void> {
  const getPosition = (move: number): [number, number] => [
    width / 2 + 200 * Math.cos(move / 20),
    height / 2 + 150 * Math.sin(move / 20),
  ]
  await page.mouse.move(...getPosition(0))
  await page.mouse.down()
  for (let move = 1; move <= moves; move++) await page.mouse.move(...getPosition(move))
  await page.mouse.up()
}

/** Returns the time between frames, and CPU time per frame of the main thread and its scripts, in ms. */
function measureWorkPerFrame(events: readonly TraceEvent[], { pid, tid }: TraceEvent) {
  const threadEvents = events.filter((event) => event.ph === 'X' && event.pid === pid && event.tid === tid)
  const frames = threadEvents.filter(({ name }) => name === 'FireAnimationFrame').map(({ ts }) => ts)
  const sums = (names: readonly string[]): number[] => {
    const times = frames.map(() => 0)
    let [end, frame] = [-Infinity, -1]
    for (const { name, ts, dur = 0, tdur = 0 } of threadEvents) {
      while (frame + 1 < frames.length && frames[frame + 1]! <= ts + dur) frame++
      // A nested event is part of the event around it.
      if (!names.includes(name) || ts < end) continue
      end = ts + dur
      if (frame >= 0) times[frame]! += tdur / 1000
    }
    return times
  }
  const scripts = ['FireAnimationFrame', 'EventDispatch', 'FunctionCall', 'TimerFire', 'RunMicrotasks']
  return {
    gaps: frames.slice(1).map((ts, index) => (ts - frames[index]!) / 1000),
    all: sums(['RunTask']),
    scripts: sums(scripts),
  }
}

/** Measures frames of the map of regulations while it is panned, which may be drawn in software. */
export async function benchCurbFrames(report: Report): Promise<void> {
  const bench = await openBench(webRoot)
  const { app, regionId } = bench
  await publishSegments(bench, { segments, halfSide: 0.02 })
  await app.state
    .as(systemScope)
    .updateTable('curb_settings')
    .set({ settings: JSON.stringify({ isPublic: true }) })
    .where('region_id', '=', regionId)
    .execute()
  const origin = await app.http.listen({ port: 0, host: '127.0.0.1' })
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'],
    args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  })
  try {
    const page = await browser.newPage({ viewport: { width, height } })
    await page.goto(`${origin}/${regionId}/public/regulations`)
    await page.locator('canvas').first().waitFor()
    await page.waitForLoadState('networkidle')
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    const events = await recordTrace(await page.context().newCDPSession(page), () => panMap(page))
    const main = events.find(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
    if (!main) throw new Error('The trace has no main thread')
    const { gaps, all, scripts } = measureWorkPerFrame(events, main)
    for (const [part, samples] of Object.entries({
      'main thread': all,
      'its scripts': scripts,
      spacing: gaps,
    })) {
      report.add(`curb: ${segments} segments, frame while panning, ${part}`, 'ms', samples)
      report.add(`curb: ${segments} segments, frame while panning, ${part}, 95 %`, 'ms', [
        percentile(samples, 0.95),
      ])
    }
    report.add('curb: requests while panning', 'calls', [requests.length])
    if (process.env['BENCH_SCREENSHOT']) await page.screenshot({ path: process.env['BENCH_SCREENSHOT'] })
  } finally {
    await browser.close()
    await bench.close()
  }
}
