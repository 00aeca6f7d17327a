import { useMediaQuery } from '@mantine/hooks'
import { smallScreenQuery } from './breakpoints.ts'

/** Whether the small layout is used, in which panels are sheets. */
export const useSmallScreen = (): boolean =>
  useMediaQuery(smallScreenQuery, undefined, { getInitialValueInEffect: false }) ?? false
