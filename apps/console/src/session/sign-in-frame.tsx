import type { ReactNode } from 'react';

export function SignInFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <img src="/icon.svg" alt="" width="40" height="40" />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
