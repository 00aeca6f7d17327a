import { useState, type ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { EntryField } from './entry-field.tsx'
import styles from './entry-field.module.css'

/** A password field with a button to show the password. */
export function PasswordField(props: Omit<ComponentProps<typeof EntryField>, 'type' | 'aside'>) {
  const { t } = useTranslation()
  const [isShown, setIsShown] = useState(false)
  const toggle = (
    <button
      type="button"
      className={styles['aside']}
      aria-label={t(isShown ? 'identity:hidePassword' : 'identity:showPassword')}
      onClick={() => setIsShown(!isShown)}
    >
      {t(isShown ? 'identity:hide' : 'identity:show')}
    </button>
  )
  return (
    <EntryField
      {...props}
      type={isShown ? 'text' : 'password'}
      aside={toggle}
      autoCapitalize="off"
      spellCheck={false}
    />
  )
}
