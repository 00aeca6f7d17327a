import { useLocalStorage } from '@mantine/hooks'

/** What was chosen on a screen that is no desktop: the full app, the mobile live map, or to go on in spite of the size. */
export type ScreenChoice = 'full' | 'live' | 'continue'

/** The choice of this device; it is asked for once. */
export const useScreenChoice = () =>
  useLocalStorage<ScreenChoice | null>({
    key: 'publicway.screen-size',
    defaultValue: null,
    getInitialValueInEffect: false,
  })
