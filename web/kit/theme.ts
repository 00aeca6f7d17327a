import type { KeyboardEvent } from 'react'
import {
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core'

export type Scheme = 'light' | 'dark'

/** Color roles by scheme. theme.test.ts checks that pairs with text have a contrast of 4.5:1. */
export const tokens = {
  light: {
    ink: '#0E1B2A',
    slate: '#44546A',
    mist: '#F4F6F8',
    line: '#D9E0E7',
    panel: '#FFFFFF',
    quiet: '#566377',
    hint: '#5F6C7E',
    edge: '#7C8A9B',
    teal: '#0B7A75',
    brightTeal: '#17B8AE',
    tealWash: '#E3F4F2',
    onTeal: '#FFFFFF',
    amber: '#9A4707',
    amberWash: '#FDF3E4',
    red: '#B42318',
    redWash: '#FDECEA',
    green: '#15803D',
    greenWash: '#EEF9F2',
    veil: 'rgba(244, 246, 248, 0.6)',
    shade: 'rgba(14, 27, 42, 0.16)',
  },
  dark: {
    ink: '#E6ECF2',
    slate: '#B4C1CF',
    mist: '#131E2B',
    line: '#2F4054',
    panel: '#1B2838',
    quiet: '#A9B7C6',
    hint: '#94A5B7',
    edge: '#6F8298',
    teal: '#4CCFC4',
    brightTeal: '#17B8AE',
    tealWash: '#173C42',
    onTeal: '#0E1B2A',
    amber: '#F2AA5C',
    amberWash: '#3A2C18',
    red: '#FF9D93',
    redWash: '#43221F',
    green: '#6BD18D',
    greenWash: '#173A26',
    veil: 'rgba(19, 30, 43, 0.6)',
    shade: 'rgba(0, 0, 0, 0.4)',
  },
} as const satisfies Record<Scheme, Record<string, string>>

/** The top bar has the same colors in both schemes. */
export const bar = {
  back: '#0E1B2A',
  raised: '#1C2C3F',
  text: '#FFFFFF',
  quiet: '#B9C6D3',
  line: '#2A3B4F',
  viewing: '#0B7A75',
  alarm: '#FFB3A8',
} as const

/** Sizes of the frame in pixels. */
export const sizes = { bar: 56, shelf: 64, drawer: 240, panel: 320, reading: 1280 } as const

const teal: MantineColorsTuple = [
  '#E3F4F2',
  '#C7EBE7',
  '#93D9D2',
  '#4CCFC4',
  '#17B8AE',
  '#0F968F',
  '#0B7A75',
  '#09655F',
  '#084F4C',
  '#0A3A3A',
]
const dark: MantineColorsTuple = [
  '#E6ECF2',
  '#C9D3DD',
  '#A9B7C6',
  '#94A5B7',
  '#2F4054',
  '#26364A',
  '#1B2838',
  '#131E2B',
  '#0E1722',
  '#0A111A',
]
const red: MantineColorsTuple = [
  '#FDECEA',
  '#FBD5D1',
  '#F7AFA8',
  '#FF9D93',
  '#EB6A5E',
  '#D23B2D',
  '#B42318',
  '#931C13',
  '#73160F',
  '#43221F',
]

/** Closes a menu on Tab, like on Escape. */
function closeOnTab(event: KeyboardEvent): void {
  if (event.key !== 'Tab') return
  event.preventDefault()
  event.target.dispatchEvent(new window.KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
}

export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: { light: 6, dark: 4 },
  autoContrast: true,
  // Mantine has one text color of filled buttons for both schemes; ours differ.
  variantColorResolver: (input) => {
    const resolved = defaultVariantColorsResolver(input)
    return input.variant === 'filled' && input.color === 'teal'
      ? { ...resolved, color: 'var(--on-teal)' }
      : resolved
  },
  black: tokens.light.ink,
  colors: { teal, dark, red },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
    },
  },
  defaultRadius: 6,
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  spacing: { xs: '4px', sm: '8px', md: '16px', lg: '24px', xl: '32px' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // Focus by Tab does not open the list; Enter, an arrow key or a click does.
    Select: { defaultProps: { openOnFocus: false } },
    MultiSelect: { defaultProps: { openOnFocus: false } },
    Autocomplete: { defaultProps: { openOnFocus: false } },
    TagsInput: { defaultProps: { openOnFocus: false } },
    // By default, Tab would stay on the item. The focus returns to the button, and Tab continues there.
    MenuDropdown: { defaultProps: { onKeyDown: closeOnTab } },
    Badge: { defaultProps: { tt: 'none' } },
    // One delay for all tooltips, which also open on keyboard focus.
    Tooltip: { defaultProps: { openDelay: 500, events: { hover: true, focus: true, touch: true } } },
  },
})

const toKebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const toCssVariables = (prefix: string, values: Record<string, string | number>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      `--${prefix}${toKebabCase(name)}`,
      typeof value === 'number' ? `${value}px` : value,
    ]),
  )

/** Returns overrides of Mantine colors that lack contrast. */
const getContrastOverrides = (colors: (typeof tokens)[Scheme]): Record<string, string> => ({
  '--mantine-color-dimmed': colors.quiet,
  '--mantine-color-placeholder': colors.hint,
  '--mantine-color-error': colors.red,
  '--mantine-color-anchor': colors.teal,
  '--mantine-color-teal-text': colors.teal,
  '--mantine-color-teal-light': colors.tealWash,
  '--mantine-color-teal-light-hover': colors.tealWash,
  '--mantine-color-teal-light-color': colors.teal,
  '--mantine-color-teal-outline': colors.teal,
  '--mantine-color-red-text': colors.red,
  '--mantine-color-red-light': colors.redWash,
  '--mantine-color-red-light-hover': colors.redWash,
  '--mantine-color-red-light-color': colors.red,
  '--mantine-color-default-border': colors.line,
  '--mantine-color-text': colors.ink,
})

/** Every token is a CSS variable: `--ink`, `--teal-wash`, `--size-bar`, `--bar-back`. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: { ...toCssVariables('size-', sizes), ...toCssVariables('bar-', bar) },
  light: {
    ...toCssVariables('', tokens.light),
    ...getContrastOverrides(tokens.light),
    '--mantine-color-body': tokens.light.panel,
  },
  dark: {
    ...toCssVariables('', tokens.dark),
    ...getContrastOverrides(tokens.dark),
    '--mantine-color-body': tokens.dark.mist,
  },
})

export type BinColors = readonly [string, string, string, string, string, string, string]
export type SequentialName = 'tide' | 'dusk' | 'clay'
export type Palettes = Readonly<Record<SequentialName, BinColors>>

interface DataColors {
  /** Seven bins from few to many, increasingly distinct from the background. */
  sequential: Palettes
  /** The same for lines along streets, which are thin and need more contrast with a dark map than areas. */
  lines: Palettes
  /** Seven bins from less to more; the middle one means unchanged. */
  diverging: BinColors
  categorical: readonly string[]
  /** Colors of a second set of categories, distinct from `categorical`. */
  secondary: readonly string[]
  noData: string
  /** Colors for outlines of shapes, the selected shape and its halo. */
  outline: string
  selected: string
  halo: string
}

const lightSequential: Palettes = {
  tide: ['#E0F0E1', '#A4E3A2', '#53CCAF', '#299995', '#006E7A', '#004563', '#080D62'],
  dusk: ['#FFE8C0', '#C8D66A', '#7ABF87', '#009C92', '#006994', '#3A2C80', '#360035'],
  clay: ['#EDECCE', '#E5CF80', '#E7AB00', '#BE7900', '#954F08', '#5F3322', '#241E1D'],
}

/** Colors of data. Neighboring bins are distinct on the map, for color-blind users too (decision 028). */
export const dataColors: Record<Scheme, DataColors> = {
  light: {
    sequential: lightSequential,
    lines: lightSequential,
    diverging: ['#8C510A', '#BF8A3E', '#E3CFA0', '#F1F2F4', '#86C6D4', '#2C8C9E', '#00475A'],
    categorical: ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#6B4E9B', '#B98700', '#3A9BD5', '#44546A'],
    secondary: ['#4D7C0F', '#06A3BF', '#1E2F7D', '#9F1239', '#E11D8F', '#6B3410', '#8A8178'],
    noData: '#B8C2CC',
    outline: '#44546A',
    selected: '#0E1B2A',
    halo: '#FFFFFF',
  },
  dark: {
    sequential: {
      tide: ['#012553', '#005675', '#18808B', '#46A5A5', '#62D0C1', '#B5EDC7', '#FEFEFF'],
      dusk: ['#3E2B5B', '#2548B0', '#007FA9', '#00ADB6', '#10DFA8', '#BBF481', '#FFFEFB'],
      clay: ['#40332D', '#73452A', '#A95912', '#D57A00', '#F5A63E', '#F0DB9C', '#FFFFFF'],
    },
    lines: {
      tide: ['#5361BE', '#5784B9', '#58A8C3', '#93B9B8', '#8FDFC2', '#C6F4B6', '#F2FFF2'],
      dusk: ['#7E5E90', '#687AD4', '#59A3C3', '#98BCC1', '#8EE7CB', '#CCF991', '#FBFFF6'],
      clay: ['#A5540D', '#B77700', '#B7945E', '#E6A940', '#EFCF8E', '#F5E9CC', '#FFFFFF'],
    },
    diverging: ['#F0B869', '#C18A3C', '#7D5A2A', '#37424F', '#1F7691', '#35A9BD', '#8FE6F2'],
    categorical: ['#4BA8DE', '#F0863B', '#2FC79A', '#E3A1C6', '#A58AD6', '#E6B84A', '#8CCBF0', '#A9B7C6'],
    secondary: ['#B4E34C', '#38E1F5', '#7C86FF', '#FF6B81', '#FF8FF0', '#C99466', '#D3CDC7'],
    noData: '#4A5A6B',
    outline: '#A9B7C6',
    selected: '#FFFFFF',
    halo: '#0E1B2A',
  },
}

/** Opacity of shapes without a value, such as geographies and policies. */
export const fillOpacity = { default: 0.35, raised: 0.75 } as const
/** Opacity of areas with a value, at which neighboring bins are distinct (decision 028). */
export const valueOpacity = 0.8

/**
 * Colors of curb states (contract/curb-rules.ts): reds forbid, blues and greens allow parking, gold is for
 * loading. Neighbors in a legend also differ in lightness, so that they are distinct without color vision.
 */
export const curbColors = {
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
    not_regulated: '#B8C2CC',
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
    not_regulated: '#4A5A6B',
  },
} as const satisfies Record<Scheme, Record<string, string>>
