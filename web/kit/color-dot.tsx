import { useComputedColorScheme } from '@mantine/core'
import styles from './color-dot.module.css'
import { colorOnPanel } from './contrast.ts'

/** The color of an operator beside its name. */
export function ColorDot({ color }: { color: string }) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  return (
    <span className={styles['dot']} style={{ background: colorOnPanel(color, scheme) }} aria-hidden="true" />
  )
}
