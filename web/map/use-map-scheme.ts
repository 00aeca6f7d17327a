import { useComputedColorScheme } from '@mantine/core'
import { useState } from 'react'
import { usePrinting } from '#web/kit/use-printing.ts'

/** The color scheme of a map. Printed pages are light, but there is no time to load another map style. */
export function useMapScheme(): 'light' | 'dark' {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const isPrinting = usePrinting()
  const [shown, setShown] = useState(scheme)
  if (!isPrinting && shown !== scheme) setShown(scheme)
  return shown
}
