import { type CurbState, curbStates } from '#contract/curb-rules.ts'
import { dataColors, type Scheme } from '#web/kit/theme.ts'

/**
 * Colors of states: reds forbid, blues and greens allow parking, gold is for loading. Neighbors in the legend differ in lightness too, so
 * that they are distinct without color vision.
 */
const colors: Record<Scheme, Record<CurbState, string>> = {
  light: {
    travel_lane: '#44546A',
    no_stopping: '#B3123C',
    no_parking: '#E5734F',
    reserved: '#7A4FA3',
    passenger: '#D98CB3',
    loading: '#D9A400',
    paid_parking: '#0B63B0',
    time_limited: '#4FA8DE',
    free_parking: '#1F9E6D',
    not_regulated: dataColors.light.noData,
  },
  dark: {
    travel_lane: '#A9B7C6',
    no_stopping: '#FF5C7A',
    no_parking: '#F09A7A',
    reserved: '#B597E0',
    passenger: '#F0B3D1',
    loading: '#F2C83A',
    paid_parking: '#4BA0F0',
    time_limited: '#9AD4F7',
    free_parking: '#2FC79A',
    not_regulated: dataColors.dark.noData,
  },
}

export const curbColor = (state: CurbState, scheme: Scheme): string => colors[scheme][state]

/** In the order of `curbStates`, whose indexes are the classes of the map. */
export const curbPalette = (scheme: Scheme): string[] => curbStates.map((state) => colors[scheme][state])
