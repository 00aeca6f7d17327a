import { useMediaQuery } from '@mantine/hooks'

/** Whether the small layout is meant: panels become sheets. */
export const useSmallScreen = (): boolean =>
  useMediaQuery('(max-width: 768px)', undefined, { getInitialValueInEffect: false }) ?? false
