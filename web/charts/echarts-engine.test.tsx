import { afterEach, expect, it, vi } from 'vitest'
import type { PreparedChart } from './prepared-chart.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** A canvas context that draws nothing; jsdom has none. */
const emptyContext = new Proxy(
  {},
  { get: (_, name) => (name === 'measureText' ? () => ({ width: 8 }) : () => undefined), set: () => true },
)

const heatMap = {
  option: {
    animation: false,
    xAxis: { type: 'category', data: [...Array(24).keys()] },
    yAxis: { type: 'category', data: [...Array(7).keys()] },
    visualMap: { type: 'piecewise', show: false, pieces: [{ value: 1, color: '#123456' }] },
    series: [
      {
        type: 'heatmap',
        data: Array.from({ length: 168 }, (_, cell) => [cell % 24, Math.floor(cell / 24), 1]),
      },
    ],
  },
  summary: 'Trips by hour',
} as unknown as PreparedChart

it('paints no more once a chart is removed, even if it was half painted', async () => {
  let frames: FrameRequestCallback[] = []
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame))
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(emptyContext as never)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(640)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(240)
  // Each reading of the clock is 20 ms later, more than the engine spends on one frame.
  let time = 0
  vi.spyOn(Date, 'now').mockImplementation(() => (time += 20))
  const nextFrame = (): void => {
    const due = frames
    frames = []
    for (const frame of due) frame(time)
  }
  const { drawChart } = await import('./echarts-engine.ts')
  const chart = drawChart(document.body.appendChild(document.createElement('div')))
  chart.show(heatMap)
  for (let frame = 0; frame < 3; frame++) nextFrame()
  expect(frames.length).toBeGreaterThan(1)
  chart.remove()
  expect(() => {
    for (let frame = 0; frame < 3; frame++) nextFrame()
  }).not.toThrow()
  expect(frames).toEqual([])
})
