import { expect, test } from 'vitest'
import type { Layer } from '#contract/geography.ts'
import { viewerScope } from '#server/identity/scope.ts'
import { TableChanges } from '#server/stores/changes.ts'
import type { State } from '#server/stores/state.ts'
import { LayerCache } from './layer-cache.ts'

const layer = { shape_layer_uuid: 'l', region_id: 'r' } as Layer

test('The layer cache reads again for another Scope, another region and after a change', async () => {
  const changes = new TableChanges()
  const reads: string[] = []
  const cache = new LayerCache(
    { changes } as State,
    () => 0,
    async (_state, scope, regionId) => {
      reads.push(`${scope.userId} ${regionId}`)
      return layer
    },
  )
  const firstViewer = viewerScope('o', ['r'], 'one')
  const secondViewer = viewerScope('o', ['r'], 'other')
  await cache.find(firstViewer, 'r', 'l')
  await cache.find(firstViewer, 'r', 'l')
  await cache.find(secondViewer, 'r', 'l')
  await cache.find(firstViewer, 's', 'l')
  expect(reads).toEqual(['one r', 'other r', 'one s'])
  changes.record('layer')
  await cache.find(firstViewer, 'r', 'l')
  expect(reads).toHaveLength(4)
})
