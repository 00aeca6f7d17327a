import { useCallback, useState } from 'react'
import { useSmallScreen } from '#web/kit/use-small-screen.ts'

/** Which parts of the page around a map are open. */
export interface MapPageState {
  isSmall: boolean
  isPanelOpen: boolean
  setIsPanelOpen: (isOpen: boolean) => void
  areResultsOpen: boolean
  showResults: (isOpen: boolean) => void
  /** Whether the user opened or closed the legend; null before that. */
  legendChoice: boolean | null
  setIsLegendOpen: (isOpen: boolean) => void
}

/** State of the page around a map. `adjust` changes the URL without a history entry. */
export function useMapPage(
  { results }: { results?: true | undefined },
  adjust: (changes: { results: true | undefined }) => void,
): MapPageState {
  const isSmall = useSmallScreen()
  const [panelChoice, setIsPanelOpen] = useState<boolean | null>(null)
  const [legendChoice, setIsLegendOpen] = useState<boolean | null>(null)
  const showResults = useCallback(
    (isOpen: boolean) => adjust({ results: isOpen ? true : undefined }),
    [adjust],
  )
  return {
    isSmall,
    isPanelOpen: panelChoice ?? !isSmall,
    setIsPanelOpen,
    areResultsOpen: results === true,
    showResults,
    legendChoice,
    setIsLegendOpen,
  }
}
