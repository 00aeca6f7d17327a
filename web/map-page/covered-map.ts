import { sizes } from '#web/kit/theme.ts'
import type { CoveredEdges } from '#web/map/map-view-props.ts'
import { openHeight } from './use-drag-height.ts'

/** Pixels that a time axis takes from the map above it. */
export const axisHeight = 110

interface Around {
  isSmall: boolean
  isPanelOpen: boolean
  areResultsOpen: boolean
  hasAxis?: boolean
}

/** Height of the bar of results, in pixels, on phones too. */
const [bar, barOfPhones] = [44, 56]

/** What floats over a map of the frame: the panel at its left, and below it the drawer as far as it is open, with the axis on it. What is selected in the table is flown to above it. */
export const coveredMap = ({
  isSmall,
  isPanelOpen,
  areResultsOpen,
  hasAxis = false,
}: Around): CoveredEdges => ({
  top: 0,
  right: 0,
  bottom: (areResultsOpen ? openHeight() : isSmall ? barOfPhones : bar) + (hasAxis ? axisHeight : 0),
  left: isPanelOpen && !isSmall ? sizes.panel : 0,
})
