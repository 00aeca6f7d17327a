import { expect, it } from 'vitest'
import { Counter, Gauge, Histogram } from './metric.ts'
import { formatMetrics, serverMetrics } from './server-metrics.ts'

it('formats counters and gauges with escaped labels', () => {
  const counter = new Counter({ name: 'rows_total', help: 'Rows\nread', labelNames: ['source', 'result'] })
  counter.inc({ result: 'ok', source: 'a "b" \\' }, 3)
  counter.inc({ source: 'a "b" \\', result: 'ok' })
  counter.inc({ source: 'x', result: 'ok' }, -1)
  const gauge = new Gauge({ name: 'open', help: 'Open' })
  gauge.inc()
  gauge.inc({}, -2)
  expect(counter.format()).toBe(
    '# HELP rows_total Rows\\nread\n# TYPE rows_total counter\nrows_total{source="a \\"b\\" \\\\",result="ok"} 4',
  )
  expect(gauge.format()).toBe('# HELP open Open\n# TYPE open gauge\nopen -1')
})

it('counts a histogram cumulatively', () => {
  const histogram = new Histogram({ name: 's', help: 'S', labelNames: ['kind'], buckets: [0.1, 1] })
  for (const value of [0.1, 0.5, 7]) histogram.observe({ kind: 'read' }, value)
  expect(histogram.format().split('\n').slice(2)).toEqual([
    's_bucket{kind="read",le="0.1"} 1',
    's_bucket{kind="read",le="1"} 2',
    's_bucket{kind="read",le="+Inf"} 3',
    's_sum{kind="read"} 7.6',
    's_count{kind="read"} 3',
  ])
})

it('counts what exceeds the limit of series as other', () => {
  const counter = new Counter({ name: 'c', help: 'C', labelNames: ['id'] })
  for (let id = 0; id < 3000; id++) counter.inc({ id })
  const lines = counter.format().split('\n').slice(2)
  expect(lines).toHaveLength(1001)
  expect(lines.at(-1)).toBe('c{id="other"} 2000')
})

it('has each metric once, and no label with many values', () => {
  const names = serverMetrics.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(formatMetrics().match(/^# TYPE /gm)).toHaveLength(names.length)
  const labels = new Set(serverMetrics.flatMap(({ labelNames }) => labelNames))
  for (const forbidden of ['region', 'region_id', 'device_id', 'vehicle', 'key', 'token', 'user'])
    expect(labels).not.toContain(forbidden)
})
