import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeField } from '../code-field.tsx'
import { focusWhenShown } from '../focus-when-shown.ts'
import styles from './enrollment.module.css'

interface Props {
  label: string
  isPending: boolean
  onCode: (code: string) => void
  /** More buttons, before the confirm button. */
  children?: ReactNode
}

/** The form for the code that confirms a device. */
export function CodeForm({ label, isPending, onCode, children }: Props) {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  return (
    <form
      className={styles['flow']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setIsMissing(!code)
        if (code) onCode(code)
      }}
    >
      <CodeField
        ref={focusWhenShown}
        label={label}
        value={code}
        error={isMissing ? t('identity:challenge.required') : null}
        onFill={setCode}
      />
      <div className={styles['foot']}>
        {children}
        <Button type="submit" loading={isPending}>
          {t('account:enroll.confirm')}
        </Button>
      </div>
    </form>
  )
}
