import { Stack, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { permissionKeys, type PermissionKey } from '#contract/permission.ts'
import { SettingSwitch } from '#web/kit/setting-switch.tsx'

interface Props {
  label: string
  description?: string
  granted: readonly PermissionKey[]
  onChange: (granted: PermissionKey[]) => void
}

/** A switch for each permission, with a description of what it allows. */
export function KeySwitches({ label, description, granted, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <Switch.Group
      label={label}
      description={description}
      value={[...granted]}
      onChange={(switched) => onChange(permissionKeys.filter((key) => switched.includes(key)))}
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
