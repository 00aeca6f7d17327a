import { createHash, randomUUID } from 'node:crypto'
import { type PolicyShape, regionSource } from './find-policy-shapes.ts'
import type { Store } from '#server/stores/state.ts'

/** A shape or region boundary, frozen at a publication. */
export interface FrozenGeography {
  geography_id: string
  /** Null for the region's boundary. */
  shape_uuid: string | null
  name: string
}

export interface PublishedGeography extends FrozenGeography {
  /** Whether it was not published before. */
  isNew: boolean
}

/** Number of shapes in one query. */
const batchSize = 200

const toFeatureCollection = ({ geometries }: PolicyShape): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: geometries.map((geometry) => ({ type: 'Feature', properties: {}, geometry })),
  })

/**
 * Stores the current shapes as geographies. An unchanged shape reuses the id of its last publication. A
 * changed one gets a new id and refers to the previous one. A shape that is published for the first time uses
 * the id of the shape.
 */
export async function freezeGeographies(
  store: Store,
  regionId: string,
  shapes: readonly PolicyShape[],
  at: Date,
): Promise<PublishedGeography[]> {
  const publishedGeographies: PublishedGeography[] = []
  for (let from = 0; from < shapes.length; from += batchSize) {
    const batch = shapes.slice(from, from + batchSize)
    const earlierGeographies = await store
      .selectFrom('policy_geography')
      .select(['geography_id', 'source', 'content_hash'])
      .where('region_id', '=', regionId)
      .where(
        'source',
        'in',
        batch.map(({ source }) => source),
      )
      .orderBy('published_time')
      .execute()
    const newRows = []
    for (const shape of batch) {
      const features = toFeatureCollection(shape)
      // The store returns the keys of a geometry in a stable order.
      const hash = createHash('sha256')
        .update(JSON.stringify([shape.name, shape.description, features]))
        .digest('hex')
      const versions = earlierGeographies.filter(({ source }) => source === shape.source)
      const unchangedVersion = versions.find(({ content_hash: storedHash }) => storedHash === hash)
      const id =
        unchangedVersion?.geography_id ??
        (versions.length || shape.source === regionSource ? randomUUID() : shape.source)
      if (!unchangedVersion)
        newRows.push({
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
      publishedGeographies.push({
        geography_id: id,
        shape_uuid: shape.shapeId,
        name: shape.name,
        isNew: !unchangedVersion,
      })
    }
    if (newRows.length) await store.insertInto('policy_geography').values(newRows).execute()
  }
  return publishedGeographies
}
