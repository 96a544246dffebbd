// A one-time link has its secret behind the "#", which is sent to nobody. It goes into the form, and out of the
// address, so that it is neither seen nor kept in the history.
const secret = document.getElementById("secret");
if (secret && location.hash.length > 1) {
  secret.value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  document.getElementById("password").focus();
}
