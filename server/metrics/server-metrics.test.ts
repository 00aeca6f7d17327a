import { register } from 'prom-client'
import { expect, test } from 'vitest'
import { formatMetrics, ingestRows } from './server-metrics.ts'

test('A metric uses no labels with many values', async () => {
  ingestRows.inc({ source: 'mds', result: 'stored' }, 3)
  const text = await formatMetrics()
  expect(text).toContain('ingest_rows_total{source="mds",result="stored"} 3')
  const metrics = register.getMetricsAsArray() as unknown as { name: string; labelNames: string[] }[]
  expect(metrics.length).toBeGreaterThan(30)
  const labels = new Set(metrics.flatMap(({ labelNames }) => labelNames))
  expect(labels).toContain('source')
  for (const forbidden of ['region', 'region_id', 'device_id', 'vehicle', 'key', 'token', 'user'])
    expect(labels).not.toContain(forbidden)
})
