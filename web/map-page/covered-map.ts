import { sizes } from '#web/kit/theme.ts'
import type { CoveredEdges } from '#web/map/map-view-props.ts'
import { openHeight } from './use-drag-height.ts'

/** Height of a time axis in pixels. */
export const axisHeight = 110

interface PageLayout {
  isSmall: boolean
  isPanelOpen: boolean
  areResultsOpen: boolean
  hasAxis?: boolean
}

/** Space between a table and the lower edge of the results drawer, in pixels. */
export const drawerGap = 12

/** Height of the results bar in pixels. */
export const resultsBarHeight = (isSmall: boolean): number => (isSmall ? 56 : 44)

/** Returns the pixels that the panel, results drawer and time axis cover at each edge of a map. */
export const coveredMap = ({
  isSmall,
  isPanelOpen,
  areResultsOpen,
  hasAxis = false,
}: PageLayout): CoveredEdges => ({
  top: 0,
  right: 0,
  bottom: (areResultsOpen ? openHeight() : resultsBarHeight(isSmall)) + (hasAxis ? axisHeight : 0),
  left: isPanelOpen && !isSmall ? sizes.panel : 0,
})
