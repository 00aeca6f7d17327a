import { UnstyledButton } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { HelpDialog } from './help-dialog.tsx'

export function HelpButton({ className }: { className: string }) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <UnstyledButton className={className} onClick={() => setIsOpen(true)}>
        <IconHelp size={18} aria-hidden="true" />{t('shell:settings.help')}
      </UnstyledButton>
      {isOpen ? <HelpDialog onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}
