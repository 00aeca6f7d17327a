import type { BoundaryFeature } from './boundary-geometry.ts'
import type { BoundaryProperty } from './boundary-content.ts'

interface RankedProperty extends BoundaryProperty {
  score: number
}

/** Numbers of values of a property. */
interface Tally {
  texts: number
  filled: number
  /** Values with letters. */
  letters: number
  /** Values of more than 100 characters. */
  longTexts: number
  /** Values like ids, addresses, colors or dates. */
  codes: number
  integers: number
  values: Set<string>
}

const namePattern = /^(name|nom|nombre|nome|naam|namn|navn)$/i
const nameLikePattern = /name|label|title|nombre|nhood|neighbo|district|quartier|barrio|zone/i
const codePattern =
  /^(\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\}?|[0-9a-f]{16,}|https?:.*|[[{<].*|#[0-9a-f]{3,8}|\d{4}-\d\d-\d\d.*)$/is

/** Names of properties with a number that identifies an area or road, such as a tract, ward or route. */
const areaNumberPattern =
  /taz|tract|ward|precinct|district|dist$|zone|beat|block|zip|postal|geoid|route|sector|number|nmbr|num$|_no$|nbr/i
/** Names of properties that number the records instead of areas, and of measures. */
const recordNumberPattern =
  /^(fid|gid|oid|id|_id|rowid|index|x|y)$|objectid|guid|shape|area|acre|hectare|leng|perim|sq_?m|square|pop|count|total|dens|lat|lon|lng|year|date|time|percent|pct/i

/** The score of a property of distinct numbers. A suggested name must have a higher one. */
const minSuggestedScore = 3

/** Ranks all properties by suitability as shape name, and suggests the first if it is suitable. */
export function rankProperties(features: readonly BoundaryFeature[]): {
  properties: BoundaryProperty[]
  suggestedName: string | null
} {
  const tallies = new Map<string, Tally>()
  for (const feature of features) {
    for (const [name, value] of Object.entries(feature.properties)) {
      let tally = tallies.get(name)
      if (tally === undefined)
        tallies.set(
          name,
          (tally = {
            texts: 0,
            filled: 0,
            letters: 0,
            longTexts: 0,
            codes: 0,
            integers: 0,
            values: new Set(),
          }),
        )
      const text = value === null ? '' : String(value).trim()
      if (text === '') continue
      tally.filled += 1
      if (typeof value === 'string') tally.texts += 1
      if (/\p{L}/u.test(text)) tally.letters += 1
      if (text.length > 100) tally.longTexts += 1
      if (codePattern.test(text.slice(0, 200))) tally.codes += 1
      if (typeof value === 'number' && Number.isInteger(value)) tally.integers += 1
      tally.values.add(text)
    }
  }
  const ranked = [...tallies].map(([name, tally]) => rankProperty(name, tally, features.length))
  // The sort is stable: equal scores retain the order of the file.
  ranked.sort((a, b) => b.score - a.score)
  const isGood = ({ score, distinct }: RankedProperty): boolean =>
    score > minSuggestedScore && (distinct > 1 || features.length === 1)
  // Prefers properties in which most values are distinct: the county of a zone is not its name.
  const best =
    ranked.find((property) => isGood(property) && 2 * property.distinct >= features.length) ??
    ranked.find(isGood)
  return {
    properties: ranked.map(({ name, filled, distinct, samples }) => ({ name, filled, distinct, samples })),
    suggestedName: best?.name ?? null,
  }
}

/**
 * Scores a property as shape name. Texts, letters, few gaps, distinct values and a name such as
 * `district` add to the score; codes and long texts subtract from it.
 */
function rankProperty(name: string, tally: Tally, featureCount: number): RankedProperty {
  const { filled } = tally
  const share = (count: number): number => (filled === 0 ? 0 : count / filled)
  const identifiesAreas = filled > 0 && tally.integers === filled && !recordNumberPattern.test(name)
  let nameScore = 0
  if (identifiesAreas) nameScore = areaNumberPattern.test(name) ? 1 : 0.5
  if (namePattern.test(name)) nameScore += 2
  else if (nameLikePattern.test(name) && !identifiesAreas) nameScore += 1
  const score =
    nameScore +
    2 * share(tally.texts) +
    share(tally.letters) +
    2 * share(tally.values.size) * (filled / featureCount) +
    filled / featureCount -
    3 * share(tally.codes) -
    3 * share(tally.longTexts)
  return {
    name,
    filled,
    distinct: tally.values.size,
    samples: [...tally.values].slice(0, 3),
    // Empty properties come last.
    score: filled === 0 ? -10 : score,
  }
}
