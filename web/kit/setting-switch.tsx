import { Switch, type SwitchProps } from '@mantine/core'

interface Props extends Omit<SwitchProps, 'label' | 'description' | 'aria-label'> {
  label: string
  /** What it switches, in a sentence. */
  description: string
}

/** A switch and what it switches. Its name is its label alone: in Mantine's the sentence is part of the name, and is read twice. */
export function SettingSwitch({ label, ...rest }: Props) {
  return (
    <Switch
      {...rest}
      label={label}
      aria-label={label}
      styles={{ description: { fontSize: 'var(--mantine-font-size-xs)' } }}
    />
  )
}
