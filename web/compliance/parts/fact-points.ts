import { useEffect, useState } from 'react'
import type { ComplianceFact } from '#contract/compliance.ts'
import { signal } from '#web/data/signals.ts'
import { type Scheme, tokens } from '#web/kit/theme.ts'
import type { FleetPoints, FleetSource } from '#web/map/layers/fleet-points.ts'
import { rgbaOf } from '#web/map/layers/rgba-of.ts'

/** What a point of the map is known by under the pointer. */
const prefix = 'fact:'
export const factMark = (index: number): string => `${prefix}${index}`
/** Index of a fact by its mark; null: it is a shape. */
export const factOfMark = (id: string): number | null =>
  id.startsWith(prefix) ? Number(id.slice(prefix.length)) : null

/** Facts as a map draws them: violations in red, what is uncertain in amber. */
export function drawFacts(
  facts: readonly ComplianceFact[],
  scheme: Scheme,
  selected: number | null,
): FleetPoints {
  const positions = new Float64Array(facts.length * 2)
  const colors = new Uint8ClampedArray(facts.length * 4)
  const { red, amber, slate } = tokens[scheme]
  const [broken, unsure, other] = [rgbaOf(red), rgbaOf(amber), rgbaOf(slate)]
  for (const [at, { lon, lat, is_violation: isViolation, is_uncertain: isUncertain }] of facts.entries()) {
    positions[2 * at] = lon
    positions[2 * at + 1] = lat
    colors.set(isViolation ? broken : isUncertain ? unsure : other, 4 * at)
  }
  const chosen = selected === null ? undefined : facts[selected]
  return {
    scheme,
    count: facts.length,
    positions,
    colors,
    idOf: factMark,
    clusters: [],
    stations: [],
    selected: chosen ? { lon: chosen.lon, lat: chosen.lat } : null,
    here: null,
  }
}

/** The facts for a map, past React: one source for as long as the map is there. */
export function useFactPoints(
  facts: readonly ComplianceFact[],
  scheme: Scheme,
  selected: number | null,
): FleetSource {
  const [drawn] = useState(() => signal<FleetPoints | null>(null))
  useEffect(() => drawn.write(drawFacts(facts, scheme, selected)), [drawn, facts, scheme, selected])
  return drawn
}
