import { Stack, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { permissionKeys, type PermissionKey } from '#contract/permission.ts'
import { SettingSwitch } from '#web/kit/setting-switch.tsx'

interface Props {
  label: string
  description?: string
  held: readonly PermissionKey[]
  onChange: (held: PermissionKey[]) => void
}

/** The five permissions as switches, each with what it allows. */
export function KeySwitches({ label, description, held, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <Switch.Group
      label={label}
      description={description}
      value={[...held]}
      onChange={(on) => onChange(permissionKeys.filter((key) => on.includes(key)))}
    >
      <Stack gap="sm" mt="sm">
        {permissionKeys.map((key) => (
          <SettingSwitch
            key={key}
            value={key}
            label={t(`users:key.${key}.name`)}
            description={t(`users:key.${key}.text`)}
          />
        ))}
      </Stack>
    </Switch.Group>
  )
}
