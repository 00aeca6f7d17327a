import { useLocalStorage } from '@mantine/hooks'

/** Choice on a small screen: the full app, the mobile live map, or to continue despite the size. */
export type ScreenChoice = 'full' | 'live' | 'continue'

/** The stored choice of this device. */
export const useScreenChoice = () =>
  useLocalStorage<ScreenChoice | null>({
    key: 'publicway.screen-size',
    defaultValue: null,
    getInitialValueInEffect: false,
  })
