// Calls to the server.
export async function call(path, request = {}) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  const found = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    const { message = `the server answered ${answer.status}`, hint } = found.error ?? {};
    throw new Error(hint ? `${message} (${hint})` : message);
  }
  return found;
}

export const page = (name, request) => call(`/page/call/${name}`, request);
