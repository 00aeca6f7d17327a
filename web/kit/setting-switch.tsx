import { Switch, type SwitchProps } from '@mantine/core'

interface Props extends Omit<SwitchProps, 'label' | 'description' | 'aria-label'> {
  label: string
  /** What the setting does, in a sentence. */
  description: string
}

/** A switch with a description that is not in its accessible name, or it would be read twice. */
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
