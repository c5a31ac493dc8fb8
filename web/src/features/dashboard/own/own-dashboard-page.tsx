import { DashboardPage } from '../dashboard-page.tsx'

/** The same page: it looks at who reads it. */
export const OwnDashboardPage = () => <DashboardPage />
