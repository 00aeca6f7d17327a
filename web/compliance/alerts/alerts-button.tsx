import { Button } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AlertsDialog } from './alerts-dialog.tsx'

interface Props {
  regionId: string
  timezone: string
  /** The policy of the page, the default for new alerts. */
  policy?: { constant_policy_uuid: string } | undefined
}

/** Opens the dialog with the user's alerts. */
export function AlertsButton(props: Props) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconBell size={18} />}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        {t('compliance:alerts.open')}
      </Button>
      {isOpen ? <AlertsDialog {...props} onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}
