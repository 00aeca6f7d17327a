import { useMediaQuery } from '@mantine/hooks'

export type ScreenSize = 'small' | 'between' | 'desktop'

/** The borders of the layouts (1-product, section 9): small up to 768 px wide, desktop from 1000 x 560. */
export const smallMedia = '(max-width: 768px)'
export const underDesktopMedia = '(max-width: 999.98px), (max-height: 559.98px)'

export function useScreenSize(): ScreenSize {
  const isSmall = useMediaQuery(smallMedia, false, { getInitialValueInEffect: false })
  const isUnderDesktop = useMediaQuery(underDesktopMedia, false, { getInitialValueInEffect: false })
  if (isSmall) return 'small'
  return isUnderDesktop ? 'between' : 'desktop'
}
