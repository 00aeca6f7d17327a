import { listLayerCubes, type LayerCubes } from '#contract/geography-use.ts'
import { useAnswer } from '#web/data/query.ts'

/** Milliseconds between two looks at sums that are being computed. */
const again = 5000

/** How far the hourly sums of each layer are, by layer; asked again while any is under way. Layers that nothing is said of are not in it. */
export function useLayerCubes(regionId: string): ReadonlyMap<string, LayerCubes> {
  const { data } = useAnswer(
    listLayerCubes,
    { params: { region_id: regionId } },
    {
      refetchInterval: ({ state }) =>
        state.data?.items.some(({ status }) => status === 'running' || status === 'waiting') ? again : false,
    },
  )
  return new Map((data?.items ?? []).map((cubes) => [cubes.shape_layer_uuid, cubes]))
}
