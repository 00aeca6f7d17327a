import { createHash, randomUUID } from 'node:crypto'
import { type PolicyShape, regionSource } from './policy-shape.ts'
import type { Store } from '#server/stores/state.ts'

/** A geography of a published policy. */
export interface FrozenGeography {
  geography_id: string
  shape_uuid: string | null
  name: string
}

/** `isNew`: it was not published before. */
interface PublishedGeography extends FrozenGeography {
  isNew: boolean
}

/** Shapes per statement. */
const batchSize = 200

const featuresOf = ({ geometries }: PolicyShape): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: geometries.map((geometry) => ({ type: 'Feature', properties: {}, geometry })),
  })

/**
 * Stores the current shapes as geographies. An unchanged shape has the id of its last publication; a changed one gets a new id that refers
 * to the previous one. A shape that is published for the first time uses its own id.
 */
export async function freezeGeographies(
  store: Store,
  regionId: string,
  shapes: readonly PolicyShape[],
  at: Date,
): Promise<PublishedGeography[]> {
  const frozen: PublishedGeography[] = []
  for (let from = 0; from < shapes.length; from += batchSize) {
    const part = shapes.slice(from, from + batchSize)
    const known = await store
      .selectFrom('policy_geography')
      .select(['geography_id', 'source', 'content_hash'])
      .where('region_id', '=', regionId)
      .where(
        'source',
        'in',
        part.map(({ source }) => source),
      )
      .orderBy('published_time')
      .execute()
    const fresh = []
    for (const shape of part) {
      const features = featuresOf(shape)
      // The store returns the keys of a geometry in a stable order.
      const hash = createHash('sha256')
        .update(JSON.stringify([shape.name, shape.description, features]))
        .digest('hex')
      const versions = known.filter(({ source }) => source === shape.source)
      const same = versions.find(({ content_hash: stored }) => stored === hash)
      const id =
        same?.geography_id ?? (versions.length || shape.source === regionSource ? randomUUID() : shape.source)
      if (!same)
        fresh.push({
          geography_id: id,
          region_id: regionId,
          source: shape.source,
          name: shape.name,
          description: shape.description,
          geography_type: shape.type,
          geography_json: features,
          content_hash: hash,
          prev_geography_id: versions.at(-1)?.geography_id ?? null,
          published_time: at,
        })
      frozen.push({ geography_id: id, shape_uuid: shape.shapeId, name: shape.name, isNew: !same })
    }
    if (fresh.length) await store.insertInto('policy_geography').values(fresh).execute()
  }
  return frozen
}
