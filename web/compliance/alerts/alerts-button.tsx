import { Button } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AlertsDialog } from './alerts-dialog.tsx'

interface Props {
  regionId: string
  timezone: string
  /** The policy of the page, which a new alert is of unless another is chosen. */
  policy?: { constant_policy_uuid: string } | undefined
}

/** Opens what the user is told of new violations. */
export function AlertsButton(props: Props) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconBell size={18} />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {t('compliance:alerts.open')}
      </Button>
      {isOpen ? <AlertsDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
