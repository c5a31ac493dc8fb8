import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './ui/theme/tokens.css'
import './ui/theme/mantine.css'
import './ui/theme/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { readStyleNonce } from './lib/nonce.ts'
import { watchForNewBuild } from './lib/stale-build.ts'
import { initLanguage } from './lib/texts.ts'

// The scroll lock of dialogs writes its own <style> and reads the nonce from this name, a webpack convention.
Object.assign(globalThis, { __webpack_nonce__: readStyleNonce() })
initLanguage()
watchForNewBuild()

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
