import { createHash, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { StateTables } from '#server/stores/state-tables.ts'
import { type Ground, regionSource } from './ground.ts'

/** A geography as a published policy names it. */
export interface FrozenGround {
  geography_id: string
  shape_uuid: string | null
  name: string
}

/** So many are compared and stored by one statement. */
const atOnce = 200

const featuresOf = ({ geometries }: Ground): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: geometries.map((geometry) => ({ type: 'Feature', properties: {}, geometry })),
  })

/**
 * Keeps the grounds as they are now, for good. What was published as it is keeps its id; what was changed since gets a new one that names the former.
 * A shape that is published for the first time goes by its own id.
 */
export async function freezeGrounds(
  store: Kysely<StateTables>,
  regionId: string,
  grounds: readonly Ground[],
  at: Date,
): Promise<FrozenGround[]> {
  const frozen: FrozenGround[] = []
  for (let from = 0; from < grounds.length; from += atOnce) {
    const part = grounds.slice(from, from + atOnce)
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
    for (const ground of part) {
      const features = featuresOf(ground)
      // The store gives a geometry with its keys in one and the same order.
      const hash = createHash('sha256')
        .update(JSON.stringify([ground.name, ground.description, features]))
        .digest('hex')
      const versions = known.filter(({ source }) => source === ground.source)
      const same = versions.find(({ content_hash: kept }) => kept === hash)
      const id =
        same?.geography_id ??
        (versions.length || ground.source === regionSource ? randomUUID() : ground.source)
      if (!same)
        fresh.push({
          geography_id: id,
          region_id: regionId,
          source: ground.source,
          name: ground.name,
          description: ground.description,
          geography_type: ground.type,
          geography_json: features,
          content_hash: hash,
          prev_geography_id: versions.at(-1)?.geography_id ?? null,
          published_time: at,
        })
      frozen.push({ geography_id: id, shape_uuid: ground.shapeId, name: ground.name })
    }
    if (fresh.length) await store.insertInto('policy_geography').values(fresh).execute()
  }
  return frozen
}
