import { Button, type ButtonProps } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContactDialog } from './contact-dialog.tsx'

interface Props extends Pick<ButtonProps, 'variant' | 'size'> {
  /** Selects the prefilled message: `shell:contact.messages.<about>`. */
  about: 'notFound' | 'noAccess' | 'size' | 'help'
}

/** Opens the dialog for contacting the team. */
export function ContactButton({ about, ...buttonProps }: Props) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="default" {...buttonProps} onClick={() => setIsOpen(true)}>
        {t('shell:contact.button')}
      </Button>
      {isOpen ? (
        <ContactDialog
          subject={t(`shell:contact.subjects.${about}`)}
          message={t(`shell:contact.messages.${about}`, {
            address: location.href,
            size: `${window.innerWidth} × ${window.innerHeight}`,
          })}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </>
  )
}
